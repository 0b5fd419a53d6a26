import { Text } from '@mantine/core'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { Notice } from '../ui/feedback/notice.tsx'
import { BackButton } from '../ui/frame/link.tsx'
import { PublicPage } from './public-page.tsx'

type FillerPageProps = {
  title: string
  back: string
  placeholder: string
  sections: readonly { title: string; text: string }[]
}

/** Privacy and terms: text for the operator to replace, and a link back to the previous page. */
export function FillerPage({ title, back, placeholder, sections }: FillerPageProps) {
  const goBack = useWayBack()
  return (
    <PublicPage title={title} width="paper" back={<BackButton onClick={goBack}>{back}</BackButton>}>
      <Notice kind="info">{placeholder}</Notice>
      {sections.map((section) => (
        <section key={section.title}>
          <Text component="h2" size="lg" fw={700} mb="xs">
            {section.title}
          </Text>
          <p>{section.text}</p>
        </section>
      ))}
    </PublicPage>
  )
}

/** To the previous page, or to the landing page for visitors from another site. */
function useWayBack(): () => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  return () => (canGoBack ? history.back() : void navigate({ to: '/' }))
}
