package server

// Speed is how fast jobs that compute all the time go, each as a share of a core of its own, on cores that they share at every instant with a foreground that
// keeps so many of them busy, of many short requests that come at random. With n requests at work each thread has the share s(n) = min(1, cores / (n +
// jobs)); requests come at a rate that needs demand cores and leave as fast as n s(n) lets them, so p(n) / p(n-1) = demand / (n s(n)) for any
// distribution of their work (Kelly, Reversibility and Stochastic Networks, 1979, section 3.3), and the jobs have the mean of s(n).
func Speed(cores, jobs, demand float64) float64 {
	share := func(n float64) float64 { return min(1, cores/max(1, n+jobs)) }
	weight, all, speed := 1.0, 0.0, 0.0
	for n := 0.0; n < mostRequests; n++ {
		if n > 0 {
			weight *= demand / (n * share(n))
		}
		all += weight
		speed += float64(weight * share(n))
		if weight < 1e-9*all {
			break
		}
	}
	return speed / all
}

// mostRequests at work are as many as calls are worth counting: jobs beside so many stand still.
const mostRequests = 2000
