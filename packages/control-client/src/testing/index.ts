/** `@lectern/control-client/testing`: a network and a clock that stand still until a test moves them. */
export { FakeClock, seeded } from './clock.ts'
export { FakeNetwork, type Wire } from './wire.ts'
