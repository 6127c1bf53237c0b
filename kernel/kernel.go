package kernel

// Kernel is a symmetric real function of two points of type T.
//
// Eval is the slow and obvious definition, kept beside every faster path and
// compared with it in tests. String is the canonical expression: parsing it with
// the dictionary the kernel came from gives the same kernel back. A Kernel is an
// immutable value and safe for concurrent use. Positive definiteness is not part of
// the contract: see [Derive].
type Kernel[T any] interface {
	Eval(x, y T) float64
	String() string
}

// Domain is implemented by kernels that are not defined for every T: a wrong number
// of coordinates, a gcd of a fraction. Contains returns nil or an error that says
// what was found, why it is wrong and what to do.
type Domain[T any] interface {
	Contains(x T) error
}

// Parameter is one tunable number of a kernel.
type Parameter struct {
	Name     string  // unique in the expression: "sigma", "rbf.sigma", "rbf[age].sigma", …
	Value    float64 // current value, in the kernel's own unit
	Positive bool    // tuned on a logarithmic scale: the coordinate is ln(Value)
}

// Tunable is implemented by kernels with parameters that a search may move.
// With returns the same kernel with other values, in the order of Parameters.
type Tunable[T any] interface {
	Kernel[T]
	Parameters() []Parameter
	With(values []float64) (Kernel[T], error)
}

// Differentiable kernels give the gradient of k(x, y) in their Parameters, on the
// scale of the search: ∂k/∂ln θ for a positive parameter, ∂k/∂θ otherwise.
// EvalGrad stores len(Parameters()) numbers in grad and returns k(x, y).
type Differentiable[T any] interface {
	Tunable[T]
	EvalGrad(grad []float64, x, y T) float64
}

// Mapped kernels know a finite explicit feature map: k(x, y) = ⟨φ(x), φ(y)⟩ up to
// rounding. Features returns the length of φ for the given number of coordinates,
// and ok = false where no finite map exists.
type Mapped[T any] interface {
	Kernel[T]
	Features(like T) (dim int, ok bool)
	Map(phi []float64, x T)
}

// Describer gives the reference card that `mercer kernel` prints.
type Describer interface {
	Reference() Reference
}

// Reference is what a reader needs to know of one kernel with its current parameters.
type Reference struct {
	Name        string   `json:"name"`                  // "rbf"
	Title       string   `json:"title"`                 // "Gaussian radial basis function"
	Formula     string   `json:"formula"`               // "exp(−‖x−y‖²/(2σ²))"
	Domain      string   `json:"domain"`                // "x, y ∈ ℝᵈ; σ > 0"
	Equivalents []string `json:"equivalents,omitempty"` // the same kernel in other units: "sigma = 1", "gamma = 0.5", …
	Source      string   `json:"source,omitempty"`      // where the formula and its proof stand
	SeeAlso     []string `json:"see_also,omitempty"`
}
