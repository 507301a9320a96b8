// Command workload-scaled serves the policy of that name to mmsim, from the code that is also built into mmsim.
package main

import (
	"mmsim/plugins/sdk"
	"mmsim/policies"
)

func main() { sdk.Serve(policies.WorkloadScaled()) }
