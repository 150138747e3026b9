//! Chance from a seed.

/// A generator of numbers: the same seed, the same numbers.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        // Mixed, or the numbers of the next seed would be those of this one, moved by one.
        let mut mixed = Self(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        Self(mixed.next() ^ mixed.next().rotate_left(32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        (self.next() % sides.max(1) as u64) as usize
    }

    /// True so many times in a hundred.
    pub fn often(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.roll(of.len())).cloned()
    }
}
