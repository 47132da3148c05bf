import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { type Check, fail, ok, warn } from './check.ts'
import { isForOthers } from './network/public-url.ts'

const RENEW_BEFORE_DAYS = 14
const RENEW = 'Renew it; a running server uses the renewed one within seconds.'
const DAY_MS = 86_400_000

export const tls: Check = ({ config: { Server, Integration } }) => {
  const { TlsCert, TlsKey } = Server
  if (TlsCert === '') return ok('Disabled: the server uses plain http, behind a reverse proxy.')
  const certificate = readPair(TlsCert, TlsKey)
  if (certificate instanceof Error)
    return fail(`The server cannot start: ${certificate.message}.`, 'Correct [Server] TlsCert and TlsKey.')

  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / DAY_MS)
  if (days < 0) return fail('The certificate has expired.', RENEW)
  if (Date.parse(certificate.validFrom) > Date.now())
    return fail(
      `The certificate is valid from ${new Date(certificate.validFrom).toISOString()} on.`,
      'Check the clock of this machine; a running server uses the certificate from then on.',
    )
  // A proxy has a certificate of its own for browsers.
  const isForBrowsers = isForOthers(Integration.PublicUrl) && [Server.TrustProxy].flat().length === 0
  const name = isForBrowsers ? new URL(Integration.PublicUrl).hostname.replace(/^\[|\]$/g, '') : ''
  if (name !== '' && !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
    return fail(
      `The certificate is not for ${name}, the name in PublicUrl: browsers refuse it.`,
      'Get one for that name, or correct [Server] TlsCert or [Integration] PublicUrl.',
    )
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
