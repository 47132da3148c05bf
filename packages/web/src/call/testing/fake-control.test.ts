import { describeControl } from '@lectern/control-client/testing'
import { FakeControl } from './fake-control.ts'

describeControl(async () => {
  const control = new FakeControl()
  return {
    control,
    tag: 'k7mq',
    disconnect: () => control.disconnect(),
    reconnect: () => control.reconnect(),
    close: () => control.close(),
  }
})
