package pages

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"mmsim/importers/kudu/markup"
)

// Listed is a tablet on the page of a server's tablets.
type Listed struct {
	Table, ID, Partition, State string
	Voters                      int // replicas that vote; 0 = not shown
}

var tabletID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// readTablets reads /tablets. Tombstoned replicas hold nothing and are left out.
func readTablets(page []byte) ([]Listed, error) {
	d := markup.Read(page)
	if !strings.Contains(strings.ToLower(d.Text), "tablet replicas") {
		return nil, errors.New("not the page of a Kudu tablet server's tablets")
	}
	var all []Listed
	for _, row := range d.Rows {
		if len(row) < 5 || !tabletID.MatchString(row[1]) || strings.Contains(row[3], "TOMBSTONED") {
			continue
		}
		t := Listed{Table: row[0], ID: row[1], Partition: row[2], State: row[3]}
		peers := row[len(row)-1]
		t.Voters = strings.Count(peers, "LEADER:") + strings.Count(peers, "FOLLOWER:")
		all = append(all, t)
	}
	return all, nil
}

var bucketNumber = regexp.MustCompile(`HASH \([^)]*\) PARTITION (\d+)`)

// Buckets are the tablet's hash buckets, one for each level of hashing.
func (t *Listed) Buckets() (numbers []int) {
	for _, m := range bucketNumber.FindAllStringSubmatch(t.Partition, -1) {
		n, _ := strconv.Atoi(m[1])
		numbers = append(numbers, n)
	}
	return numbers
}
