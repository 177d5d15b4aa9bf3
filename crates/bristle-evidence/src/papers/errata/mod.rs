//! What is wrong or unsaid in the papers, item by item, with the numbers that show it.

mod azad;
mod gonthier;
mod marhefka;
mod roy;
mod xiong;

use crate::{Case, Group};
use bristle_report::Table;

pub(super) fn group() -> Group {
    Group::new(
        "errata",
        "Errata of five papers",
        "What is printed, what was used instead, and why. The corrected form is the default of Bristle; \
             a printed form that a figure needs stays selectable (`variant = \"as-printed\"`, `tension \
             = \"keep\"`). \"Proof\" names the section of `bristle reproduce` that has the numbers; \
             \"here\" means the comparisons below the table.",
        vec![
            Case::new("errata-azad", "Azad & Featherstone (2010)", azad::section),
            Case::new("errata-marhefka", "Marhefka & Orin (1996)", marhefka::section),
            Case::new("errata-gonthier", "Gonthier, McPhee, Lange & Piedbœuf (2004)", gonthier::section),
            Case::new("errata-roy", "Roy & Carretero (2012)", roy::section),
            Case::new("errata-xiong", "Xiong, Kikuuwe & Yamamoto (2013)", xiong::section),
        ],
    )
}

/// Where, what is printed, what was used and why, and which section proves it.
type Item = (&'static str, &'static str, &'static str, &'static str);

fn list(items: &[Item]) -> Table {
    let table = Table::new("Items")
        .column("", "")
        .column("where", "")
        .column("printed or unsaid", "")
        .column("used, and why", "");
    items.iter().enumerate().fold(table.column("proof", ""), |table, (i, (place, printed, used, proof))| {
        let number = format!("{}", i + 1);
        table.row([number.into(), (*place).into(), (*printed).into(), (*used).into(), (*proof).into()])
    })
}
