//! `bristle validate`.

use crate::error::Error;
use crate::evidence::{self, Args as Evidence};

pub const EXAMPLES: &str = "Examples:
  bristle validate                     # everything, page in runs/validate.html
  bristle validate --tier 0            # closed forms only
  bristle validate kharaz rattleback   # single problems
  bristle validate regressions         # what users reported to other engines
  bristle validate --list
  bristle validate --markdown docs/validation.md

Tiers: 0 closed forms, 1 published benchmarks, 2 experiments. The scenes are in the folder validation.
Exit codes: 0 all numbers are within their tolerance; 1 some are not, or a file could not be written; 2 unknown name;
130 and 143 stopped by Ctrl-C or SIGTERM, with what was finished on the page.";

#[derive(clap::Args)]
#[group(id = "tiers")] // the flattened one has the name of the type
pub struct Args {
    #[command(flatten)]
    evidence: Evidence,
    /// Only the problems of a tier; repeat
    #[arg(long, value_name = "TIER", value_parser = clap::value_parser!(u8).range(0..=2))]
    tier: Vec<u8>,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let mut evidence = args.evidence.clone();
    evidence.names.extend(args.tier.iter().map(|tier| format!("tier-{tier}")));
    evidence::run(&evidence, &bristle_evidence::problems::catalogue())
}
