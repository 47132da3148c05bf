import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PasswordCaller } from '../accounts/password-verifier.ts'
import { disconnectSignal } from './disconnect-signal.ts'

export const passwordCaller = (
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  reply: FastifyReply,
): PasswordCaller => ({ address: ip, userAgent: headers['user-agent'], signal: disconnectSignal(reply) })
