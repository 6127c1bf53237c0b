package cli

import "github.com/spf13/cobra"

// addVerbs adds the verbs to the root, in groups in the order of a working day.
func addVerbs(root *cobra.Command, inv *invocation) {
	cobra.EnableCommandSorting = false
	for _, g := range []struct {
		title string
		verbs []*cobra.Command
	}{
		{"Learn from targets:", []*cobra.Command{newPlan(inv), newPath(inv), newTune(inv), newFit(inv), newMKL(inv)}},
		{"Find structure without targets:", []*cobra.Command{newEmbed(inv), newCluster(inv), newDenoise(inv), newGeom(inv)}},
		{"Use a model:", []*cobra.Command{newEval(inv), newPredict(inv), newExplain(inv), newInfo(inv), newCompress(inv), newUpdate(inv), newForget(inv), newExport(inv), newImport(inv)}},
		{"Look at kernels:", []*cobra.Command{newKernel(inv), newCheck(inv), newGram(inv), newGallery(inv)}},
		{"This machine:", []*cobra.Command{newDemo(inv), newBench(inv), newVersion(inv)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, v := range g.verbs {
			v.GroupID = g.title
			root.AddCommand(v)
		}
	}
}
