import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ModulePage } from '../shell/ModulePage.tsx'
import { useOwned } from './owned-accounts.ts'

/** The pages of owners of technical users. */
export function IntegrationsPage({ parts }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const { integrations } = useSite()
  const { accounts, reload } = useOwned()
  return (
    <ModulePage title={t('home.pages.integrations')} loader={integrations} isReady={accounts !== null}>
      {({ IntegrationPages }) =>
        accounts && <IntegrationPages parts={parts} accounts={accounts} onLost={reload} />
      }
    </ModulePage>
  )
}
