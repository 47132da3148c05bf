import { useTexts } from '../../texts/use-texts.ts'
import { failureFor } from '../data/failures.ts'

/** Why a request failed. `code`: null while the server cannot be reached. */
export function FailureText({ code }: { code: string | null }) {
  const { t } = useTexts()
  return t(`admin.failure.${failureFor(code)}`)
}
