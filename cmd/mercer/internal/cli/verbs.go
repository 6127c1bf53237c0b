package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/geometry"
	"example.org/mercer/cmd/mercer/internal/kernels"
	"example.org/mercer/cmd/mercer/internal/learn"
	"example.org/mercer/cmd/mercer/internal/machine"
	"example.org/mercer/cmd/mercer/internal/models"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// addVerbs adds the verbs to the root, in groups in the order of a working day: one line each.
func addVerbs(root *cobra.Command, inv *verb.Invocation) {
	cobra.EnableCommandSorting = false
	for _, g := range []struct {
		title string
		verbs []*cobra.Command
	}{
		{"Learn from targets:", []*cobra.Command{
			learn.NewAuto(inv),
			learn.NewPlan(inv),
			learn.NewPath(inv),
			learn.NewTune(inv),
			learn.NewFit(inv),
			learn.NewCV(inv),
			learn.NewMKL(inv),
		}},
		{"Find structure without targets:", []*cobra.Command{
			learn.NewEmbed(inv),
			learn.NewCluster(inv),
			learn.NewDenoise(inv),
			geometry.NewGeom(inv),
		}},
		{"Use a model:", []*cobra.Command{
			models.NewEval(inv),
			models.NewPredict(inv),
			models.NewExplain(inv),
			models.NewInfo(inv),
			models.NewCompress(inv),
			models.NewUpdate(inv),
			models.NewForget(inv),
			models.NewExport(inv),
			models.NewImport(inv),
			models.NewServe(inv),
		}},
		{"Look at kernels:", []*cobra.Command{
			kernels.NewKernel(inv),
			kernels.NewCheck(inv),
			kernels.NewGram(inv),
			kernels.NewGallery(inv),
			kernels.NewLab(inv),
		}},
		{"This machine:", []*cobra.Command{
			learn.NewDemo(inv),
			machine.NewBench(inv),
			machine.NewVersion(inv),
		}},
		{"The cluster:", ofEngine(inv)},
	} {
		if len(g.verbs) == 0 {
			continue
		}
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, v := range g.verbs {
			v.GroupID = g.title
			root.AddCommand(v)
		}
	}
}

// ofEngine returns the verbs of the engine, if it has any.
func ofEngine(inv *verb.Invocation) []*cobra.Command {
	if e, ok := inv.Engine.(verb.WithVerbs); ok {
		return e.Verbs()
	}
	return nil
}
