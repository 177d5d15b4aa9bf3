//! `bristle reproduce`.

use crate::error::Error;
use crate::evidence::{self, Args};

pub const EXAMPLES: &str = "Examples:
  bristle reproduce                        # everything, page in runs/reproduce.html
  bristle reproduce gonthier               # one paper
  bristle reproduce azad-fig7 roy-fig10    # single figures
  bristle reproduce --list
  bristle reproduce all --markdown docs/reproduction.md

Exit codes: 0 all numbers are within their tolerance; 1 some are not, or a file could not be written; 2 unknown name;
130 and 143 stopped by Ctrl-C or SIGTERM, with what was finished on the page.";

pub fn run(args: &Args) -> Result<(), Error> {
    evidence::run(args, &bristle_evidence::papers::catalogue())
}
