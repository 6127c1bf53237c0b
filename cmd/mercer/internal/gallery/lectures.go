package gallery

import "strings"

// The lectures.
const (
	horaud  = "Horaud, A Brief Introduction to Kernel Methods"
	osadchy = "Osadchy, Kernel PCA"
	notes   = "Kernel Methods, notes on ridge regression and support vector machines"
	mairal  = "Mairal, Examples of Kernels and Unsupervised Learning"
	arbel   = "Arbel, Machine Learning with Kernel Methods"
)

// Drawing is what a lecture shows or describes, and the figure that draws it. Figure ""
// stands for what is not drawn; then Why says why.
type Drawing struct{ Lecture, Section, Figure, Why string }

// Drawings lists all drawings, lecture by lecture, in their order.
func Drawings() []Drawing {
	return []Drawing{
		{horaud, "Center of Mass (formulas)", "distance-1d", ""},
		{horaud, "Mercer Kernel (In Brief!)", "eigenfunctions", ""},
		{horaud, "Feature-space Computations (formulas)", "gauss-distance", ""},
		{horaud, "The Kernel Matrix of Centered Data (formulas)", "centring", ""},
		{horaud, "The Kernel PCA method (formulas)", "kpca-clusters", ""},
		{osadchy, "Dimensionality Reduction: linear structure", "pca", ""},
		{osadchy, "Dimensionality Reduction: manifold learning methods for non-linear structure", "swiss-roll", ""},
		{osadchy, "Example in R²: classes that are linearly inseparable", "lift", ""},
		{osadchy, "Example: High-Dimensional Mapping", "lift", ""},
		{osadchy, "Making PCA Non-Linear: polar coordinates", "polar", ""},
		{osadchy, "Making PCA Non-Linear: the circle", "kpca-circles", ""},
		{osadchy, "Example: Input Points", "kpca-clusters", ""},
		{osadchy, "Example: KPCA", "kpca-clusters", ""},
		{osadchy, "Example: De-noising images", "denoise", ""},
		{notes, "Example 1: Kernel Ridge Regression", "krr", ""},
		{notes, "Exercise: φ(x) = (x₁², √2x₁x₂, x₂²)", "quadratic", ""},
		{mairal, "The min kernel, figure 1", "min-kernel", ""},
		{mairal, "Spectrum kernel: the tries of two sequences", "trie", ""},
		{mairal, "Walk kernel, figure 2", "product-graph", ""},
		{mairal, "Principal component analysis: the projection on a direction", "pca", ""},
		{mairal, "K-means clustering: points and centroids", "kmeans", ""},
		{mairal, "Kernel K-means", "kernel-kmeans", ""},
		{mairal, "Mixture of Gaussians, algorithm 4", "em", ""},
		{arbel, "Main goal of this course; Overview", "", "pictures of kinds of data, without numbers"},
		{arbel, "Open research topics: deep kernel learning", "depth", ""},
		{arbel, "Open research topics: deep kernel learning", "spirals", ""},
		{arbel, "Open research topics: deep kernel learning", "filters", ""},
		{arbel, "Open research topics: deep kernel learning", "kept", ""},
		{arbel, "Open research topics: deep kernel learning", "stability", ""},
		{arbel, "Representation by pairwise comparisons", "gram", ""},
		{arbel, "A more ambitious p.d. kernel; Example: polynomial kernel", "quadratic", ""},
		{arbel, "Functional spaces for machine learning: data points become functions", "bumps", ""},
		{arbel, "Remember the RKHS of the linear kernel", "norms", ""},
		{arbel, "Smoothness functional", "norms", ""},
		{arbel, "Motivation from supervised learning: a linear form in the feature space", "quadratic", ""},
		{arbel, "Computing distances in the feature space", "gauss-distance", ""},
		{arbel, "Distance for the Gaussian kernel", "gauss-distance", ""},
		{arbel, "Distance between a point and a set; 1D illustration", "distance-1d", ""},
		{arbel, "2D illustration", "distance-2d", ""},
		{arbel, "Basic application in discrimination", "barycentres", ""},
		{arbel, "Centering data in the feature space", "centring", ""},
		{arbel, "Examples of regression, classification and structured output", "", "a molecule, photographs of animals, sentences"},
		{arbel, "Regression: the setup", "krr", ""},
		{arbel, "Example (KRR with Gaussian RBF kernel)", "krr", ""},
		{arbel, "Robust regression", "losses", ""},
		{arbel, "Binary classification: the setup", "classes", ""},
		{arbel, "The 0/1 loss; The logistic loss; Technical facts", "logistic", ""},
		{arbel, "Kernel logistic regression (KLR)", "classes", ""},
		{arbel, "Solving KLR by IRLS", "irls", ""},
		{arbel, "Principal Component Analysis (PCA)", "pca", ""},
	}
}

// lectureOf says where a figure belongs.
func lectureOf(name string) string {
	var b strings.Builder
	last := ""
	for _, d := range Drawings() {
		switch {
		case d.Figure != name:
			continue
		case d.Lecture == last:
			b.WriteString("; ")
		case last != "":
			b.WriteString(". ")
			fallthrough
		default:
			b.WriteString(d.Lecture + ": ")
		}
		b.WriteString(d.Section)
		last = d.Lecture
	}
	return b.String()
}
