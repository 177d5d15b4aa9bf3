//! placeholder-free
pub fn reference() -> String {
    String::new()
}
