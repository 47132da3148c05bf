import { randomBytes } from 'node:crypto'
import { answers, type Channel, openChannel } from './channel.ts'
import { ATTRIBUTE, CLASS, encode, errorCodeOf, METHOD, newTransaction } from './stun.ts'

export interface IceParameters {
  username_fragment: string
  password: string
}

/** An ICE connectivity check (RFC 8445, section 7.2), as a browser sends it. */
export function bindingRequest({ username_fragment, password }: IceParameters) {
  const transaction = newTransaction()
  const username = `${username_fragment}:${randomBytes(4).toString('hex')}`
  const bytes = encode(
    METHOD.bind | CLASS.request,
    transaction,
    [
      [ATTRIBUTE.username, username],
      [ATTRIBUTE.priority, Buffer.from([0x6e, 0, 0x1e, 0xff])],
      [ATTRIBUTE.controlling, randomBytes(8)],
    ],
    password,
  )
  return { bytes, isAnswer: answers(transaction) }
}

/** Null if the media port answers; otherwise the reason. */
export async function checkMediaPort(
  ice: IceParameters,
  { address, port, protocol }: { address: string; port: number; protocol: 'udp' | 'tcp' },
): Promise<string | null> {
  let channel: Channel | undefined
  try {
    channel = await openChannel({ host: address, port, transport: protocol, isFramed: true })
    const { bytes, isAnswer } = bindingRequest(ice)
    const code = errorCodeOf(await channel.request(bytes, isAnswer))
    return code === 0 ? null : `error ${code}`
  } catch (error) {
    return (error as Error).message
  } finally {
    channel?.close()
  }
}
