import type { OwnedServiceAccount } from '@lectern/protocol'
import { useMemo } from 'react'
import { homePath } from '../address.ts'
import { ConsoleFrame } from '../admin/ConsoleFrame.tsx'
import { ConsoleApi, ownedBy } from '../admin/data/console-api.ts'
import { SectionNavigation } from '../admin/navigation/SectionNavigation.tsx'
import type { ApiRequest } from '../api/api.ts'
import { PageFrame } from '../home/shell/PageFrame.tsx'
import type { IntegrationPagesProps } from '../site/site.ts'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { AccountList } from './AccountList.tsx'
import { EndpointsSection } from './endpoints/EndpointsSection.tsx'
import { EventsSection } from './events/EventsSection.tsx'
import { OverviewSection } from './overview/OverviewSection.tsx'
import { RoomsSection } from './rooms/RoomsSection.tsx'
import { isSection, SECTIONS, type SectionName } from './section-names.ts'
import { IntegrationContext } from './use-integration.ts'

/** The pages below /integrations: what a service account has and does, for its owners. */
export function IntegrationPages({ parts, accounts, onLost }: IntegrationPagesProps) {
  const { t } = useTexts()
  const [name = accounts.length === 1 ? accounts[0]?.name : undefined, ...rest] = parts
  const account = accounts.find(each => each.name === name)
  if (account)
    return (
      <AccountPages key={account.name} account={account} parts={rest} accounts={accounts} onLost={onLost} />
    )
  return (
    <PageFrame title={t('home.pages.integrations')}>
      {name !== undefined && <p>{t('admin.failure.not_found')}</p>}
      <AccountList accounts={accounts} />
    </PageFrame>
  )
}

type AccountPagesProps = IntegrationPagesProps & { account: OwnedServiceAccount }

function AccountPages({ account, parts, accounts, onLost }: AccountPagesProps) {
  const { t } = useTexts()
  const api = useApi(account.name, onLost)
  const [first = 'overview', ...ids] = parts
  const section: SectionName = isSection(first) && account.enabled ? first : 'overview'
  const path = (...more: string[]) => homePath('integrations', account.name, ...more)
  const items = SECTIONS.map(key => ({
    key,
    label: t(`integrations.sections.${key}`),
    href: key === 'overview' ? path() : path(key),
  }))
  const shown = account.enabled ? items : items.slice(0, 1)
  const up = ids.length > 0 ? path(section, ...ids.slice(0, -1)) : undefined
  const top = accounts.length > 1 ? homePath('integrations') : undefined
  return (
    <IntegrationContext value={account.name}>
      <ConsoleFrame
        api={api}
        title={account.name}
        back={up ?? (section === 'overview' ? top : path())}
        section={section}
        navigation={
          <SectionNavigation
            label={t('integrations.navigation')}
            current={section}
            groups={[{ name: null, items: shown }]}
          />
        }
      >
        <Section key={parts.join('/')} account={account} section={section} ids={ids} />
      </ConsoleFrame>
    </IntegrationContext>
  )
}

interface SectionProps {
  account: OwnedServiceAccount
  section: SectionName
  ids: readonly string[]
}

function Section({ account, section, ids }: SectionProps) {
  const [id = null, within = null]: readonly (string | null)[] = ids
  switch (section) {
    case 'overview':
      return <OverviewSection account={account} />
    case 'rooms':
      return <RoomsSection externalId={id} />
    case 'events':
      return <EventsSection />
    case 'endpoints':
      return <EndpointsSection id={id} deliveryId={within} />
  }
}

/** Requests for the service account, with the user's own sign-in. */
function useApi(name: string, onLost: () => void): ConsoleApi {
  const { account } = useSite()
  return useMemo(() => {
    const request = async (question: Omit<ApiRequest, 'token'>) => {
      const answer = await account.request(question)
      if (answer.is === 'refused' && answer.code === 'service_account_not_found') onLost()
      return answer
    }
    return new ConsoleApi({ request }, ownedBy(name))
  }, [account, name, onLost])
}
