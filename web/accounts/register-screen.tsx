import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PublicPage } from '../pages/public-page.tsx'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { Card } from '../ui/frame/card.tsx'
import { DocumentBackLink } from '../ui/frame/document-link.tsx'
import { TextLink } from '../ui/frame/link.tsx'
import { Side } from '../ui/frame/side.tsx'
import { SideToggle } from '../ui/frame/side-toggle.tsx'
import type { SideName } from '../ui/frame/theme.ts'
import { useAfterLogin } from '../who/session.tsx'
import { type CarLink, stringifySearch, useCarLink, useIsBrokenLink } from '../wire/search.ts'
import { pathAfterLogin } from './after-login.ts'
import { RegisterForm } from './register-form.tsx'

const texts = accountTexts.register

/** /register/seller (optional query userId): the link's owner goes along as otherUserId. */
export function RegisterSellerScreen() {
  const { userId } = useCarLink()
  const onDone = useDone()
  return (
    <Frame side="selling" title={texts.sellerTitle} lead={texts.sellerLead}>
      <RegisterForm
        userType="SELLER"
        submit={texts.submit}
        failed={texts.failed}
        hidden={{ otherUserId: userId ?? '' }}
        onDone={onDone}
      />
    </Frame>
  )
}

/** /register/buyer (optional query vin): a seller's VIN begins the purchase of that car. */
export function RegisterBuyerScreen() {
  const { userId = '', vin = '' } = useCarLink()
  const isBroken = useIsBrokenLink()
  const onDone = useDone()
  return (
    <Frame side="buying" title={texts.buyerTitle} lead={texts.buyerLead}>
      <RegisterForm
        userType="BUYER"
        submit={texts.submit}
        failed={texts.failed}
        asked={isBroken ? { vin: '', userId: '' } : { vin, userId }}
        onDone={onDone}
      />
    </Frame>
  )
}

/** Success on either goes to /home; the gate leads on to the verification, and that to the car somebody came for. */
function useDone() {
  const { redirectURL } = useLocation().state
  const afterLogin = useAfterLogin()
  return (car?: CarLink) =>
    afterLogin((user) => pathAfterLogin(user, redirectURL), {
      afterVerifying: car?.vin ? `/buyer${stringifySearch(car)}` : undefined,
    })
}

type FrameProps = { side: SideName; title: string; lead: string; children: ReactNode }

function Frame({ side, title, lead, children }: FrameProps) {
  const navigate = useNavigate()
  const search = useCarLink()
  const isBroken = useIsBrokenLink()
  const { redirectURL } = useLocation().state
  const change = (to: SideName) =>
    navigate({
      to: to === 'buying' ? '/register/buyer' : '/register/seller',
      search,
      state: { redirectURL },
      replace: true,
    })
  return (
    <Side side={side}>
      <PublicPage title={title} lead={lead} back={<DocumentBackLink href="/">{texts.back}</DocumentBackLink>}>
        <SideToggle
          label={texts.switcher}
          selling={texts.seller}
          buying={texts.buyer}
          value={side}
          onChange={(to) => void change(to)}
        />
        {isBroken && <Trouble title={texts.brokenLink}>{texts.brokenLinkHint}</Trouble>}
        <Card>{children}</Card>
        <p>
          {texts.haveAccount}{' '}
          <TextLink to="/login" state={{ redirectURL }}>
            {texts.logIn}
          </TextLink>
        </p>
      </PublicPage>
    </Side>
  )
}
