import { useTexts } from '../texts/use-texts.ts'
import { refusalOf } from './upload.ts'

/** Says why an upload failed. */
export function useRefusalText(): (error: unknown) => string {
  const { t } = useTexts()
  return error => t(`upload.refused.${refusalOf(error)}`)
}
