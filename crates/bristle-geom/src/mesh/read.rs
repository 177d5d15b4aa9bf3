//! STL (text and binary) and OBJ, from bytes that nobody has checked.
//!
//! Written here rather than taken from a crate: only corners and facets are wanted, with a limit on their number
//! before memory is taken for them, and with the line of a fault.

use super::{Mesh, MeshOptions};
use crate::GeomError;
use bristle_math::Vector3;
use std::path::Path;

/// File formats of meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Stereolithography, text or binary.
    Stl,
    /// Wavefront OBJ: `v` and `f` lines; all others are skipped.
    Obj,
}

impl MeshFormat {
    /// The format that a file name ends with.
    pub fn of(path: &Path) -> Result<Self, GeomError> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "stl" => Ok(Self::Stl),
            "obj" => Ok(Self::Obj),
            _ => Err(bad(format!("file name ends with \"{ending}\", known are stl and obj"))),
        }
    }
}

fn bad(what: String) -> GeomError {
    GeomError::BadMesh { what }
}

/// Refuses a mesh that is too large, before memory is taken for it.
pub(super) fn check_count(facets: usize, options: &MeshOptions) -> Result<(), GeomError> {
    // Corners are counted in 32 bits, of which refining needs up to seven for each facet.
    let allowed = options.max_facets.min(u32::MAX as usize / 8);
    if facets <= allowed {
        return Ok(());
    }
    Err(bad(format!("has {facets} facets or more, {allowed} are allowed; reduce it")))
}

impl Mesh {
    /// A mesh from the bytes of a file.
    pub fn parse(bytes: &[u8], format: MeshFormat, options: &MeshOptions) -> Result<Self, GeomError> {
        let (vertices, triangles) = soup(bytes, format, options)?;
        Self::new(vertices, triangles, options)
    }
}

/// Corners and triangles as they stand in a file. Triangles name corners that are there; nothing else is checked.
pub(super) fn soup(bytes: &[u8], format: MeshFormat, options: &MeshOptions) -> Result<Soup, GeomError> {
    match format {
        MeshFormat::Obj => obj(&text(bytes)?, options),
        MeshFormat::Stl if is_binary(bytes) => binary_stl(bytes, options),
        MeshFormat::Stl => text_stl(&text(bytes)?, options),
    }
}

fn text(bytes: &[u8]) -> Result<String, GeomError> {
    if bytes.iter().all(|b| b.is_ascii_whitespace()) {
        return Err(bad("file is empty".to_string()));
    }
    // Names and comments may be in any encoding; numbers and keywords are ASCII.
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

pub(super) type Soup = (Vec<Vector3<f64>>, Vec<[u32; 3]>);

fn stl_count(bytes: &[u8]) -> Option<usize> {
    let four: [u8; 4] = bytes.get(80..84)?.try_into().ok()?;
    Some(u32::from_le_bytes(four) as usize)
}

/// Text begins with `solid`, but so do some binary files: those have the length that their count asks for.
fn is_binary(bytes: &[u8]) -> bool {
    let has_length = stl_count(bytes).is_some_and(|n| bytes.len() == 84 + 50 * n);
    has_length || !bytes.trim_ascii_start().starts_with(b"solid") && !bytes.trim_ascii().is_empty()
}

fn binary_stl(bytes: &[u8], options: &MeshOptions) -> Result<Soup, GeomError> {
    let Some(count) = stl_count(bytes) else {
        return Err(bad(format!(
            "binary STL is cut off after {} bytes, the header alone has 84",
            bytes.len()
        )));
    };
    check_count(count, options)?;
    let wanted = 84 + 50 * count;
    if bytes.len() < wanted {
        let length = bytes.len();
        return Err(bad(format!("binary STL of {count} facets is cut off: {length} bytes of {wanted}")));
    }
    let mut vertices = Vec::with_capacity(3 * count);
    for record in bytes[84..wanted].chunks_exact(50) {
        // Twelve bytes of normal first: it is found again from the corners.
        for corner in record[12..48].chunks_exact(12) {
            let at = |k: usize| {
                let four = [corner[4 * k], corner[4 * k + 1], corner[4 * k + 2], corner[4 * k + 3]];
                f64::from(f32::from_le_bytes(four))
            };
            vertices.push(Vector3::new(at(0), at(1), at(2)));
        }
    }
    Ok((vertices, in_threes(count)))
}

fn in_threes(count: usize) -> Vec<[u32; 3]> {
    (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()
}

/// The three numbers after a keyword.
fn point(line: usize, words: &mut dyn Iterator<Item = &str>) -> Result<Vector3<f64>, GeomError> {
    let mut next = || {
        let word = words.next().ok_or_else(|| bad(format!("line {line}: a corner needs three numbers")))?;
        word.parse::<f64>().map_err(|_| bad(format!("line {line}: \"{}\" is not a number", clipped(word))))
    };
    Ok(Vector3::new(next()?, next()?, next()?))
}

/// A word short enough for a message.
fn clipped(word: &str) -> String {
    word.chars().take(40).collect()
}

fn text_stl(text: &str, options: &MeshOptions) -> Result<Soup, GeomError> {
    let mut vertices = Vec::new();
    let (mut in_facet, mut is_ended) = (0, false);
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                vertices.push(point(number + 1, &mut words)?);
                in_facet += 1;
            }
            Some("endloop") if in_facet != 3 => {
                return Err(bad(format!("line {}: a facet with {in_facet} corners, needs 3", number + 1)));
            }
            Some("endloop") => {
                in_facet = 0;
                check_count(vertices.len() / 3, options)?;
            }
            Some("endsolid") => is_ended = true,
            _ => {}
        }
    }
    if in_facet != 0 || !is_ended {
        return Err(bad(format!("text STL is cut off after {} facets: no endsolid", vertices.len() / 3)));
    }
    let count = vertices.len() / 3;
    Ok((vertices, in_threes(count)))
}

fn obj(text: &str, options: &MeshOptions) -> Result<Soup, GeomError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut face: Vec<u32> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                vertices.push(point(number + 1, &mut words)?);
                check_count(vertices.len() / 3, options)?;
            }
            Some("f") => {
                face.clear();
                for word in words {
                    face.push(index(number + 1, word, vertices.len())?);
                }
                if face.len() < 3 {
                    return Err(bad(format!(
                        "line {}: a face with {} corners, needs 3",
                        number + 1,
                        face.len()
                    )));
                }
                triangles.extend((1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]]));
                check_count(triangles.len(), options)?;
            }
            _ => {}
        }
    }
    Ok((vertices, triangles))
}

/// `7`, `7/1`, `7//3` or `-1`: counted from one, or back from the last corner so far.
fn index(line: usize, word: &str, count: usize) -> Result<u32, GeomError> {
    let digits = word.split('/').next().unwrap_or_default();
    let number: i64 =
        digits.parse().map_err(|_| bad(format!("line {line}: \"{}\" names no corner", clipped(word))))?;
    let index = if number < 0 { count as i64 + number } else { number - 1 };
    if index < 0 || index >= count as i64 {
        return Err(bad(format!("line {line}: corner {number} of {count}")));
    }
    Ok(index as u32)
}
