/** `@lectern/control-client/testing`: a fake network and clock that a test drives, and the contract of control channels. */

export { FakeClock } from './clock.ts'
export { type ControlParty, describeControl } from './control.contract.ts'
export { FakeNetwork, type FakeSocket } from './fake-network.ts'
