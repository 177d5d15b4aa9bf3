//! Parts of a sweep put together.

use super::SweepError;
use super::folder::{Folder, JOURNAL, Shard, collect, create, not_ours, plan_of, read_plan};
use super::plan::difference;
use super::work::Row;
use crate::output::{Occupant, occupant};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Makes one sweep folder of the rows of several parts, which stay as they are. Rows that no part has are missing and
/// can be computed by going on with the new folder.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Folder, SweepError> {
    match occupant(out)? {
        Occupant::Free => {}
        Occupant::Run => return Err(not_ours(out, "holds a run".to_string())),
        Occupant::Sweep => return Err(not_ours(out, "holds a sweep".to_string())),
        Occupant::Other(what) => return Err(not_ours(out, what)),
    }
    let Some(first) = parts.first() else { return Err(SweepError::NoVariation) };
    let mut stored = read_plan(first)?;
    stored["shard"] = serde_json::Value::Null;
    let plan = plan_of(first, &stored)?;
    let mut rows: BTreeMap<usize, (Row, &PathBuf)> = BTreeMap::new();
    for part in parts {
        let mut other = read_plan(part)?;
        other["shard"] = serde_json::Value::Null;
        if let Some(what) = difference(&other, &stored) {
            return Err(SweepError::Different { path: part.clone(), what });
        }
        let bytes = std::fs::read(part.join(JOURNAL)).map_err(|error| SweepError::NotASweep {
            path: part.clone(),
            reason: format!("{JOURNAL} cannot be read: {error}"),
        })?;
        for (index, row) in collect(&plan, super::journal::read(&bytes)) {
            match rows.get(&index) {
                Some((known, folder)) if known.outcome != row.outcome => {
                    return Err(SweepError::Clash { first: (*folder).clone(), second: part.clone(), index });
                }
                Some(_) => {}
                None => _ = rows.insert(index, (row, part)),
            }
        }
    }
    let rows: Vec<Row> = rows.into_values().map(|(row, _)| row).collect();
    create(out, &plan, Shard::WHOLE, &rows)?;
    let mut folder = Folder::open(out, plan, Shard::WHOLE)?;
    folder.close(None)?;
    Ok(folder)
}
