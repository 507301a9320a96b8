package tablet

// What a pile can hold. A tablet whose budget fits more heavy rowsets, or where more are light, is searched without piles.
const (
	mostHeavy = 8
	mostLight = 16
)

// pile bounds what can be chosen from some rowsets. Those that weigh at least a certain weight, nearly all of a tablet, are
// heavy: of them so many fit as the room holds that weight, and are worth no more than the most valuable. What is left holds
// the densest of the light ones, one of them perhaps in part (Dantzig 1957).
//
// Where all rowsets weigh the same, this is the optimum, while the room divided by that weight, not rounded, is what bounds
// by density amount to.
type pile struct {
	least  int64              // weight of heavy rowsets
	fit    int                // so many of them fit in the budget
	heavy  [mostHeavy]float64 // values, falling
	nheavy int
	light  [mostLight]*item // by falling density
	nlight int
}

func (p *pile) clear() { p.nheavy, p.nlight = 0, 0 }

func (p *pile) add(it *item) {
	if it.weight < p.least {
		p.addLight(it)
	} else {
		p.addHeavy(it.value)
	}
}

func (p *pile) addHeavy(value float64) {
	i := p.nheavy
	if i < p.fit {
		p.nheavy++
	} else if i--; i < 0 || p.heavy[i] >= value {
		return
	}
	for ; i > 0 && p.heavy[i-1] < value; i-- {
		p.heavy[i] = p.heavy[i-1]
	}
	p.heavy[i] = value
}

func (p *pile) addLight(it *item) {
	i := p.nlight
	for ; i > 0 && p.light[i-1].density < it.density; i-- {
		p.light[i] = p.light[i-1]
	}
	p.light[i] = it
	p.nlight++
}

// worth returns what no choice that weighs at most room exceeds.
func (p *pile) worth(room int64) float64 {
	best, value := 0.0, 0.0
	for i := 0; room >= 0; i++ {
		best = larger(best, value+p.lightest(room))
		if i == p.nheavy {
			break
		}
		value += p.heavy[i]
		room -= p.least
	}
	return best
}

// lightest returns what no choice of light rowsets exceeds.
func (p *pile) lightest(room int64) float64 {
	value := 0.0
	for _, it := range p.light[:p.nlight] {
		if it.weight > room {
			return value + float64(float64(room)*it.density)
		}
		room -= it.weight
		value += it.value
	}
	return value
}
