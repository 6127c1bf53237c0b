package learn

import "github.com/spf13/cobra"

// The flags of a model without a self-test; the second is an old word for it.
const noSelfTest, noGolden = "no-selftest", "no-golden"

// registerNoSelfTest adds them to a verb that writes models.
func registerNoSelfTest(cmd *cobra.Command) {
	set := cmd.Flags()
	set.Bool(noSelfTest, false, "leave out the made up rows by which info --verify tests the model")
	set.Bool(noGolden, false, "the same")
	_ = set.MarkHidden(noGolden)
}

// withoutSelfTest reports whether a model is to have no self-test.
func withoutSelfTest(cmd *cobra.Command) bool {
	is := func(name string) bool { on, err := cmd.Flags().GetBool(name); return err == nil && on }
	return is(noSelfTest) || is(noGolden)
}
