import { type Check, fail, ok } from './check.ts'

const CALLBACK_PATH = '/sign-in/callback'

/** Whether the identity provider answers, and what has to be registered there. */
export const singleSignOn: Check = async ({ config, checkIssuer }) => {
  const { Issuer } = config.Oidc
  if (Issuer === '') return ok('Not configured.')
  const reason = await checkIssuer(config)
  if (reason !== null)
    return fail(
      `${Issuer} cannot be used: ${reason}.`,
      'Check [Oidc] Issuer, and that this machine reaches the provider.',
    )
  const redirect = config.Integration.PublicUrl + CALLBACK_PATH
  return ok(
    config.Integration.PublicUrl === ''
      ? `${Issuer}. Set [Integration] PublicUrl and register <PublicUrl>${CALLBACK_PATH} there.`
      : `${Issuer}. Its redirect address is ${redirect}`,
  )
}
