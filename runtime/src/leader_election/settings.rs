//! The settings that whoever lives by Leases has in common.
//!
//! In: a builder with the fields `times` and `clock`. Out: its methods. Never: a check; that is at the end of the building.

/// The methods of a builder that set the times of its Leases and the clock whose time is written into them.
macro_rules! lease_settings {
    () => {
        /// How long others wait after the last renewal that they saw before they take a Lease; 15 s, unless this is called.
        pub fn lease_duration(mut self, duration: ::std::time::Duration) -> Self {
            self.times.lease = duration;
            self
        }

        /// How long a holder tries to renew a Lease before it takes on no more work and gives up; 10 s, unless this is called.
        pub fn renew_deadline(mut self, deadline: ::std::time::Duration) -> Self {
            self.times.renew = deadline;
            self
        }

        /// How long to wait between attempts, up to 2.2 times as long at random while a Lease is another's; 2 s, unless this is called.
        pub fn retry_period(mut self, period: ::std::time::Duration) -> Self {
            self.times.retry = period;
            self
        }

        /// Writes the time of day of another clock into Leases. No decision hangs on it.
        pub fn clock(mut self, clock: $crate::clock::WallClock) -> Self {
            self.clock = clock;
            self
        }
    };
}

pub(crate) use lease_settings;
