import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Check, fail, ok, warn } from './check.ts'

const RENEW_BEFORE_DAYS = 14
const RENEW = 'Renew it; a running server uses the renewed one within seconds.'
const DAY_MS = 86_400_000

export const tls: Check = ({ config: { Server } }) => {
  const { TlsCert, TlsKey } = Server
  if (TlsCert === '') return ok('Disabled: the server uses plain http, behind a reverse proxy.')
  const certificate = readPair(TlsCert, TlsKey)
  if (certificate instanceof Error)
    return fail(`The server cannot start: ${certificate.message}.`, 'Correct [Server] TlsCert and TlsKey.')

  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / DAY_MS)
  if (days < 0) return fail('The certificate has expired.', RENEW)
  if (days < RENEW_BEFORE_DAYS) return warn(`The certificate expires in ${days} days.`, RENEW)
  return ok(`Certificate and key match; the certificate expires in ${days} days.`)
}

/** The certificate, or why the two files cannot be used. */
function readPair(certFile: string, keyFile: string): X509Certificate | Error {
  try {
    const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)]
    createSecureContext({ cert, key }) // throws when they do not match
    return new X509Certificate(cert)
  } catch (error) {
    return error as Error
  }
}
