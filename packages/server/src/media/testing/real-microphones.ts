import { observer } from 'mediasoup'
import type { Producer, Router, Transport } from 'mediasoup/types'
import { TestMicrophone } from './microphone.ts'

/** mediasoup's own way to report to a producer that its transport has closed. */
type TransportClosed = { transportClosed(): void }

/**
 * From now on, microphones that participants publish have real RTP: a test microphone's instead of a browser's, on the
 * router of the endpoint. Ends with the returned function.
 */
export function useRealMicrophones(): () => void {
  const open = new Set<TestMicrophone>()
  let isOn = true
  const replaceProduce = (router: Router, transport: Transport) => {
    if (!isOn || transport.type !== 'webrtc') return
    const produce = transport.produce.bind(transport)
    transport.produce = (async (options: Parameters<typeof produce>[0]): Promise<Producer> => {
      if (options.kind !== 'audio') return produce(options)
      const microphone = await TestMicrophone.create(router)
      if (options.paused) await microphone.producer.pause()
      open.add(microphone)
      const close = () => {
        open.delete(microphone)
        microphone.close()
      }
      microphone.producer.observer.once('close', close)
      transport.observer.once('close', () => {
        ;(microphone.producer as unknown as TransportClosed).transportClosed()
        close()
      })
      return microphone.producer
    }) as typeof transport.produce
  }
  observer.on('newworker', worker =>
    worker.observer.on('newrouter', router =>
      router.observer.on('newtransport', transport => replaceProduce(router, transport)),
    ),
  )
  return () => {
    isOn = false
    for (const microphone of open) microphone.close()
  }
}
