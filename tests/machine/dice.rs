//! Chance that comes out the same for the same seed.

/// A xorshift generator.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// One of a list, mostly one of its last.
    pub fn recent<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        let last = list.len().checked_sub(1)?;
        let back = if self.below(4) > 0 { self.below(3) } else { self.below(list.len()) };
        Some(list[last - back.min(last)].clone())
    }
}
