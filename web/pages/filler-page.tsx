import { Button, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { ColorSchemeControl } from '../ui/color-scheme.tsx'
import { PlainLink } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PublicShell } from '../ui/public-shell.tsx'

type FillerPageProps = {
  title: string
  back: string
  placeholder: string
  sections: readonly { title: string; text: string }[]
}

/** Privacy and terms: text that the operator replaces, and a way back to where one came from. */
export function FillerPage({ title, back, placeholder, sections }: FillerPageProps) {
  return (
    <PublicShell
      logo={
        <PlainLink to="/">
          <Logo />
        </PlainLink>
      }
      actions={<ColorSchemeControl />}
    >
      <Page title={title} width="paper" back={<BackButton>{back}</BackButton>}>
        <Notice kind="info">{placeholder}</Notice>
        {sections.map((section) => (
          <section key={section.title}>
            <Text component="h2" size="lg" fw={700}>
              {section.title}
            </Text>
            <p>{section.text}</p>
          </section>
        ))}
      </Page>
    </PublicShell>
  )
}

/** To the previous page, whatever it was; for those who came by a link from elsewhere, to the start. */
function BackButton({ children }: { children: string }) {
  const { history } = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
      onClick={() => (canGoBack ? history.back() : void navigate({ to: '/' }))}
    >
      {children}
    </Button>
  )
}
