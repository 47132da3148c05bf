import { type Check, fail, ok } from './check.ts'

export const mail: Check = async ({ config, checkMail }) => {
  if (config.Mail.Url === '') return ok('Not used: links of invitations are printed.')
  const reason = await checkMail(config)
  const where = new URL(config.Mail.Url).host
  if (reason === null) return ok(`${where} accepts mails from ${config.Mail.From}.`)
  return fail(
    `${where} cannot be used: ${reason}.`,
    'Correct [Mail] Url, or ask the administrator of the mail server.',
  )
}
