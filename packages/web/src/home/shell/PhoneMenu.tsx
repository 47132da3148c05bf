import { homePath } from '../../address.ts'
import { MainMenu } from '../../site/MainMenu.tsx'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { useNavigation } from './navigation-context.ts'
import { usePhone } from './use-phone.ts'

/** The main menu, with the pages for which the bar has no place. */
export function PhoneMenu() {
  const { t } = useTexts()
  const { go } = useSite()
  const { pages } = useNavigation()
  if (!usePhone()) return null
  return (
    <MainMenu isAtStart>
      {close =>
        pages
          .filter(({ isInBar }) => !isInBar)
          .map(({ name, icon }) => (
            <MenuItem
              key={name}
              icon={icon}
              onClick={() => {
                close()
                go(homePath(name))
              }}
            >
              {t(`home.pages.${name}`)}
            </MenuItem>
          ))
      }
    </MainMenu>
  )
}
