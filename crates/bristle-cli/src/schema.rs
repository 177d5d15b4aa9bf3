//! `bristle schema`.

use crate::error::Error;
use crate::output::print;

pub const EXAMPLES: &str = "Examples:
  bristle schema > bristle.schema.json     # for an editor: completion and checks in scene files
  bristle schema --markdown                # the reference page of the format";

#[derive(clap::Args)]
pub struct Args {
    /// Print the reference page of the format as Markdown
    #[arg(long)]
    markdown: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    if args.markdown {
        return print(bristle::scene::reference().trim_end());
    }
    print(&format!("{:#}", bristle::scene::schema()))
}
