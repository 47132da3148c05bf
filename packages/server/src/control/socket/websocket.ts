import type { Socket as NetSocket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Socket } from '../ports.ts'

/** Frames that are written at the end of this turn of the event loop, in one system call. */
const corked = new Set<NetSocket>()

function flush(): void {
  for (const socket of corked) socket.uncork()
  corked.clear()
}

/** A WebSocket in the words of the engine. */
export function socketOf(webSocket: WebSocket, netSocket: NetSocket, region?: string): Socket {
  return {
    region,
    get bufferedAmount() {
      return webSocket.bufferedAmount
    },
    send(frame) {
      if (!corked.has(netSocket)) {
        if (corked.size === 0) process.nextTick(flush)
        corked.add(netSocket)
        netSocket.cork()
      }
      webSocket.send(frame)
    },
    ping: () => webSocket.ping(),
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.terminate(),
  }
}
