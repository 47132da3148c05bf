/** `@lectern/control-client/testing`: a fake network and clock that a test drives. */
export { FakeClock } from './clock.ts'
export { FakeNetwork, type FakeSocket } from './fake-network.ts'
