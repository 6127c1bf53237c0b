package cli

import "github.com/spf13/cobra"

// verbs returns the verbs of the command, in the order of a working day.
func verbs(inv *invocation) []*cobra.Command {
	return []*cobra.Command{
		newDemo(inv),
		newPlan(inv),
		newPath(inv),
		newTune(inv),
		newMKL(inv),
		newFit(inv),
		newEmbed(inv),
		newCluster(inv),
		newEval(inv),
		newPredict(inv),
		newExplain(inv),
		newDenoise(inv),
		newInfo(inv),
		newExport(inv),
		newImport(inv),
		newKernel(inv),
		newCheck(inv),
		newGram(inv),
		newGeom(inv),
		newGallery(inv),
		newBench(inv),
		newVersion(inv),
	}
}
