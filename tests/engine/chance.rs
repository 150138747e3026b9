//! Chance that comes out the same for the same seed, and the switches that it sets.

use turnseal::engine::{
    Background, Batch, Gate, Mixed, OnApproval, OnDeny, OnEnd, OnLateOutput, OnLateSteer, OnSteer, Policy,
};

/// A small generator: equal seeds, equal runs.
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit.max(1) as u64) as usize
    }

    pub fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

pub fn runs(usual: u64) -> u64 {
    std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(usual)
}

pub fn policy(chance: &mut Chance) -> Policy {
    let ends = [OnEnd::Hold, OnEnd::Drop, OnEnd::Run];
    if chance.below(2) == 0 {
        return Policy::default();
    }
    Policy {
        on_approval: chance.of(&[OnApproval::Queue, OnApproval::Supersede]),
        gate: chance.of(&[Gate::Ended, Gate::Sealed]),
        steer: chance.of(&[OnSteer::Yield, OnSteer::Queue, OnSteer::Inject]),
        late_steer: chance.of(&[OnLateSteer::Return, OnLateSteer::Drop, OnLateSteer::Start]),
        late_output: chance.of(&[OnLateOutput::Discard, OnLateOutput::Display, OnLateOutput::Replace]),
        mixed: chance.of(&[Mixed::Done, Mixed::Aborted]),
        background: chance.of(&[Background::Continue, Background::Abort]),
        on_stop: chance.of(&ends),
        on_error: chance.of(&ends),
        on_deny: chance.of(&[OnDeny::Continue, OnDeny::End]),
        batch: chance.of(&[Batch::One, Batch::Alike]),
        approval_timeout_ms: chance.of(&[None, Some(1)]),
        idle_timeout_ms: chance.of(&[None, Some(1)]),
        ..Policy::default()
    }
}
