package plots

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mmsim/files"
)

// A slide of 13.33 x 7.5 inches in points. Figures of many tables or policies grow beyond it.
const (
	slideWidth  = vg.Length(960)
	slideHeight = vg.Length(540)
	pngDPI      = 144 // 1920 x 1080 pixels a slide
	mostPixels  = 32e6
)

// figure is one picture that has not been drawn yet.
type figure struct {
	width, height vg.Length
	paint         func(draw.Canvas)
}

// endings of the files that a figure can be written to.
var endings = []string{".svg", ".png"}

// KindOf is the kind of a file that a figure can be drawn into, by the ending of its path.
func KindOf(path string) (kind files.Kind, ok bool) {
	switch filepath.Ext(path) {
	case ".svg":
		return files.SVG, true
	case ".png":
		return files.PNG, true
	}
	return kind, false
}

// plan checks that a figure's files can be written: one as SVG and one as PNG.
func plan(dir, name string, force bool) (outputs []*files.Output, err error) {
	for _, k := range []struct {
		ending string
		kind   files.Kind
	}{{".svg", files.RunSVG}, {".png", files.RunPNG}} {
		o, err := files.Plan(filepath.Join(dir, name+k.ending), k.kind, force)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, o)
	}
	return outputs, nil
}

// draw draws the figure for a file of that name, as PNG or else as SVG.
func (f figure) draw(w io.Writer, path string) (err error) {
	// gonum panics where a size or a font does not suit it; to our callers that is an error like any other.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("drawing: %v", r)
		}
	}()
	encode := f.svg
	if filepath.Ext(path) == ".png" {
		encode = f.png
	}
	return encode(w)
}

func (f figure) svg(w io.Writer) error {
	c := vgsvg.New(f.width, f.height)
	f.paint(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	// Viewers that lack Liberation Sans take Arial or Helvetica, which have the same widths, instead of a serif font.
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	return err
}

func (f figure) png(w io.Writer) error {
	// A figure of many policies is large: it is drawn coarser rather than in more memory.
	dpi := min(pngDPI, int(72*math.Sqrt(mostPixels/float64(f.width*f.height))))
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))
	f.paint(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}
