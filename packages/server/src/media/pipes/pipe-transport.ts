import type { PipeTransport, Router } from 'mediasoup/types'
import { openIn } from '../open-in.ts'
import type { PipeAddress } from './ports.ts'

/** Bursts of keyframes of many cameras arrive through one socket; net.core.rmem_max is the upper limit. */
const SOCKET_BYTES = 4 * 1024 * 1024

/** Between hosts: with SRTP and RTX. Pipes within a machine need neither. */
export function openPipeTransport(router: Router, ip: string, isRemote: boolean): Promise<PipeTransport> {
  const opening = router.createPipeTransport({
    listenInfo: { protocol: 'udp', ip, recvBufferSize: SOCKET_BYTES, sendBufferSize: SOCKET_BYTES },
    enableSctp: false,
    enableRtx: isRemote,
    enableSrtp: isRemote,
  })
  return openIn(router, opening)
}

export const addressOf = ({ tuple, srtpParameters }: PipeTransport): PipeAddress => ({
  ip: tuple.localAddress,
  port: tuple.localPort,
  ...(srtpParameters && { srtp: srtpParameters }),
})

export const connectTo = (transport: PipeTransport, { ip, port, srtp }: PipeAddress): Promise<void> =>
  transport.connect({ ip, port, ...(srtp && { srtpParameters: srtp }) })
