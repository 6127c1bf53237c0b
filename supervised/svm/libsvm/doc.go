// Package libsvm reads and writes the text files of LIBSVM: its model files ([Read],
// [Model.Write]) and its precomputed kernel matrices, option -t 4 ([ReadGram],
// [WriteGram]). Sparse points are read by example.org/mercer/data/libsvm.
//
// A model of LIBSVM is an expansion over its support vectors: [Model.Expansion] returns
// it with the rule for classes, and [FromExpansion] goes the other way for what package
// svm has learned. LIBSVM's decision value is Σ coefᵢ k(x, xᵢ) − rho, one for each pair
// of classes in the order of its labels; its kernels are
//
//	linear ⟨x,y⟩ · polynomial (γ⟨x,y⟩ + c)ᵈ · rbf exp(−γ‖x−y‖²) · sigmoid tanh(γ⟨x,y⟩ + c)
//
// and precomputed, a matrix whose rows are named by number.
package libsvm
