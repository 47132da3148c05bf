import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ModulePage } from '../shell/ModulePage.tsx'

/** The pages of administrators. */
export function AdministrationPage({ parts }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const { admin } = useSite()
  return (
    <ModulePage title={t('home.pages.admin')} loader={admin}>
      {({ AdminPages }) => <AdminPages parts={parts} />}
    </ModulePage>
  )
}
