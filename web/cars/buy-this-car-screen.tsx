import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { PublicCar } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/kit/miles.ts'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { pathToCar } from '../accounts/after-login.ts'
import { LoginForm } from '../accounts/login-form.tsx'
import { RegisterForm } from '../accounts/register-form.tsx'
import { PublicPage } from '../pages/public-page.tsx'
import { DealHeader } from '../ui/deal/deal-header.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { Card } from '../ui/frame/card.tsx'
import { DocumentBackLink } from '../ui/frame/document-link.tsx'
import { Side } from '../ui/frame/side.tsx'
import { FactTable } from '../ui/lists/fact-table.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { useAfterLogin, useVisitor } from '../who/session.tsx'
import { useCarLink, useIsBrokenLink } from '../wire/search.ts'
import { loanOn } from './car-card.tsx'
import { InvalidLink, leadsNowhere } from './invalid-link.tsx'
import { publicCarQuery } from './queries.ts'

const texts = carTexts.buyThisCar
const fields = carTexts.fields

/** /buy-this-car (query userId, vin): the way from a shared link into an account and on to the purchase. */
export function BuyThisCarScreen() {
  const { userId, vin } = useCarLink()
  const isBroken = useIsBrokenLink()
  return (
    <Side side="buying">
      {userId && vin && !isBroken ? <OfLink userId={userId} vin={vin} /> : <Invalid />}
    </Side>
  )
}

const back = <DocumentBackLink href="/">{texts.back}</DocumentBackLink>

const Invalid = (why: ComponentProps<typeof InvalidLink>) => (
  <PublicPage title={carTexts.public.invalid} back={back}>
    <InvalidLink {...why} />
  </PublicPage>
)

function OfLink({ userId, vin }: { userId: string; vin: string }) {
  const page = useQuery(publicCarQuery(userId, vin))
  const afterLogin = useAfterLogin()
  const toCar = () => afterLogin((user) => pathToCar(userId, vin, user))
  if (page.error && !page.data) {
    return leadsNowhere(page.error) ? (
      <Invalid />
    ) : (
      <Invalid fault={page.error} onRetry={() => page.refetch()} />
    )
  }
  return (
    <PublicPage title={texts.interested} back={back}>
      <Loaded from={page} failed={carTexts.public.invalid} skeleton="form">
        {({ car }) => (
          <>
            <InterestingCar car={car} />
            <Continue userId={userId} vin={vin} />
            <Card>
              <Tabs defaultValue="create" keepMounted={false}>
                <Tabs.List grow mb="lg">
                  <Tabs.Tab value="create">{texts.createAccount}</Tabs.Tab>
                  <Tabs.Tab value="sign-in">{texts.signIn}</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="create">
                  <RegisterForm
                    userType="BUYER"
                    submit={texts.submitCreate}
                    failed={texts.registrationFailed}
                    hidden={{ userId, vin }}
                    onDone={toCar}
                  />
                </Tabs.Panel>
                <Tabs.Panel value="sign-in">
                  <LoginForm submit={texts.submitSignIn} failed={texts.signInFailed} onDone={toCar} />
                </Tabs.Panel>
              </Tabs>
            </Card>
          </>
        )}
      </Loaded>
    </PublicPage>
  )
}

function InterestingCar({ car }: { car: PublicCar }) {
  return (
    <>
      {car.status === 'ACCEPTED' && <Notice kind="waiting">{carTexts.public.salePending}</Notice>}
      <DealHeader
        title={carName(car)}
        price={car.price}
        unsetPrice={carTexts.toBeAgreed}
        vin={car.vin}
        body={car.bodyType}
        photos={car.photos}
        remark={loanOn(car)}
      />
      <Card tight>
        <FactTable
          facts={[
            { term: fields.trim, value: car.trim },
            { term: fields.color, value: car.color },
            { term: fields.mileage, value: formatMiles(car.mileage) },
          ]}
        />
      </Card>
    </>
  )
}

/** For somebody who is signed in already; a wholesaler is told that their account cannot buy (R-accounts-25). */
function Continue({ userId, vin }: { userId: string; vin: string }) {
  const visitor = useVisitor()
  const navigate = useNavigate()
  if (!visitor) return null
  if (visitor.userType === 'WHOLESALER') {
    return (
      <Notice kind="info" title={accountTexts.tradersOnly.sentence}>
        {texts.notAsWholesaler}
      </Notice>
    )
  }
  return (
    <WorkButton onClick={() => navigate({ href: pathToCar(userId, vin, visitor), replace: true })}>
      {texts.continueAs(fullName(visitor))}
    </WorkButton>
  )
}
