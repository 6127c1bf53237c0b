// Package sparsegp is Gaussian process regression on landmarks: the processes that n rows
// condition through their values at m ≪ n points Z. With K_mm = LLᵀ (and a jitter, see
// [Options.Jitter]) a point has the features φ(x) = L⁻¹k(Z, x), and
//
//	Φ = K_nm L⁻ᵀ,  Q = ΦΦᵀ = K_nm K_mm⁻¹ K_mn,  dᵢ = (K − Q)ᵢᵢ ≥ 0,  Λ diagonal,
//	B = I + ΦᵀΛ⁻¹Φ,  w = B⁻¹ΦᵀΛ⁻¹(y − μ),  Σᵢᵢ = (σ² + rᵢ)/wᵢ the noise of package gp.
//
// Every approximation has the mean μ + φ(x)ᵀw, an expansion of the kernel on the landmarks:
//
//	            Λᵢᵢ            variance of f                    objective
//	SoR         Σᵢᵢ            φᵀB⁻¹φ                           ln N(y; μ, Q + Λ)
//	DTC         Σᵢᵢ            k** − φᵀφ + φᵀB⁻¹φ               ln N(y; μ, Q + Λ)
//	FITC        Σᵢᵢ + dᵢ/wᵢ    k** − φᵀφ + φᵀB⁻¹φ               ln N(y; μ, Q + Λ)
//	Variational Σᵢᵢ            k** − φᵀφ + φᵀB⁻¹φ               ln N(y; μ, Q + Λ) − ½ Σ dᵢ/Σᵢᵢ
//
// SoR and DTC are one function and one evidence: DTC gives f the prior variance that the
// landmarks leave. Variational is DTC with the same kernel and noise; its objective is not the
// evidence of another model but a bound on the evidence of the exact process,
//
//	ln p(y) − bound = KL(q‖p) ≥ 0,
//
// q the posterior at the optimal distribution of the values at Z, so that what makes it large
// makes the posterior of this kernel near the exact one. FITC is an exact process with another
// kernel, whose noise differs from row to row. With all rows as landmarks all but SoR are the
// process of package gp.
//
// Sources: J. Quiñonero-Candela and C. E. Rasmussen, A unifying view of sparse approximate
// Gaussian process regression, JMLR 6 (2005), "QR"; M. Titsias, Variational learning of inducing
// variables in sparse Gaussian processes, AISTATS 2009; M. Bauer, M. van der Wilk and C. E.
// Rasmussen, Understanding probabilistic sparse Gaussian process approximations, NIPS 2016.
//
// O(nm²) work, O(m²) numbers of memory beside the rows. Results have the same bits for any
// number of workers.
package sparsegp
