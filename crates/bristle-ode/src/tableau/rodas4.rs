//! Coefficients of linearly implicit methods.
//!
//! ```text
//! (I/γ − h J) kᵢ = f(t + cᵢ h, x + h Σ aᵢⱼ kⱼ) + Σ eᵢⱼ kⱼ + h dᵢ ∂f/∂t        J = ∂f/∂x at the start of the step
//! x₁ = x + h Σ bⱼ kⱼ
//! ```
//! Number 0 of the rates is `f` at the start; stages are numbered from 1, and the rate at the end comes after them.

use super::Row;

/// A Rosenbrock method with an error estimate.
#[derive(Debug)]
pub(crate) struct Rosenbrock {
    /// Order of the solution.
    pub order: u32,
    pub gamma: f64,
    pub stages: &'static [Stage],
    /// Weights of the solution.
    pub b: Row,
    /// Weights of the error estimate.
    pub error: &'static [Row],
}

/// One stage.
#[derive(Debug)]
pub(crate) struct Stage {
    pub c: f64,
    pub d: f64,
    pub a: Row,
    pub e: Row,
}

/// RODAS of Hairer and Wanner (1996), "Solving Ordinary Differential Equations II", IV.7: order 4(3), six stages, L-stable, the
/// last stage at the end of the step.
pub(crate) static RODAS4: Rosenbrock = Rosenbrock {
    order: 4,
    gamma: 0.25,
    stages: &[
        Stage { c: 0.0, d: 0.25, a: &[], e: &[] },
        Stage { c: 0.386, d: -0.1043, a: &[(1, 1.544)], e: &[(1, -5.6688)] },
        Stage {
            c: 0.21,
            d: 0.1035,
            a: &[(1, 0.946_678_528_081_582_6), (2, 0.255_701_169_898_328_4)],
            e: &[(1, -2.430_093_356_833_875), (2, -0.206_359_915_709_191_5)],
        },
        Stage {
            c: 0.63,
            d: -0.036_2,
            a: &[(1, 3.314_825_187_068_521), (2, 2.896_124_015_972_201), (3, 0.998_641_913_997_781_7)],
            e: &[(1, -0.107_352_905_815_137_5), (2, -9.594_562_251_023_355), (3, -20.470_286_148_096_16)],
        },
        Stage {
            c: 1.0,
            d: 0.0,
            a: &[
                (1, 1.221_224_509_226_641),
                (2, 6.019_134_481_288_629),
                (3, 12.537_083_329_320_87),
                (4, -0.687_886_036_105_895),
            ],
            e: &[
                (1, 7.496_443_313_967_647),
                (2, -10.246_804_314_643_52),
                (3, -33.999_903_528_199_05),
                (4, 11.708_908_932_061_6),
            ],
        },
        Stage {
            c: 1.0,
            d: 0.0,
            a: &[
                (1, 1.221_224_509_226_641),
                (2, 6.019_134_481_288_629),
                (3, 12.537_083_329_320_87),
                (4, -0.687_886_036_105_895),
                (5, 1.0),
            ],
            e: &[
                (1, 8.083_246_795_921_522),
                (2, -7.981_132_988_064_893),
                (3, -31.521_594_328_743_71),
                (4, 16.319_305_431_231_36),
                (5, -6.058_818_238_834_054),
            ],
        },
    ],
    b: &[
        (1, 1.221_224_509_226_641),
        (2, 6.019_134_481_288_629),
        (3, 12.537_083_329_320_87),
        (4, -0.687_886_036_105_895),
        (5, 1.0),
        (6, 1.0),
    ],
    error: &[&[(6, 1.0)]],
};
