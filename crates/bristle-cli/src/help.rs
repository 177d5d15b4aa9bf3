//! `bristle help`: commands, and topics that no single command owns.

use crate::Cli;
use crate::error::Error;
use crate::law;
use crate::output::print;
use bristle::scene::reference;
use clap::CommandFactory;

#[derive(clap::Args)]
pub struct Args {
    /// A topic (laws, scenes, outputs, sweeps, exit-codes) or a command, e.g. `law curve`
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
}

const OUTPUTS: &str = include_str!("../help/outputs.md");
const EXIT_CODES: &str = include_str!("../help/exit-codes.md");
const SWEEPS: &str = include_str!("../../../docs/sweeps.md");
const TOPICS: [&str; 5] = ["laws", "scenes", "outputs", "sweeps", "exit-codes"];

pub fn run(args: &Args) -> Result<(), Error> {
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["laws"] => law::list(),
        ["scenes"] => print(reference().trim_end()),
        ["outputs"] => print(OUTPUTS.trim_end()),
        ["sweeps"] => print(SWEEPS.trim_end()),
        ["exit-codes"] => print(EXIT_CODES.trim_end()),
        path => command(path),
    }
}

fn command(path: &[&str]) -> Result<(), Error> {
    let mut all = Cli::command();
    all.build();
    let mut found = &mut all;
    for name in path {
        let known: Vec<String> = found.get_subcommands().map(|c| c.get_name().to_string()).collect();
        found = found.find_subcommand_mut(name).ok_or_else(|| Error::UnknownTopic {
            name: path.join(" "),
            known: TOPICS.iter().map(ToString::to_string).chain(known).collect::<Vec<_>>().join(", "),
        })?;
    }
    print(found.render_long_help().to_string().trim_end())
}
