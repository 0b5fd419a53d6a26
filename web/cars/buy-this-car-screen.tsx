import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { type PublicCar, publicCarPage } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/kit/miles.ts'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { pathToCar } from '../accounts/after-login.ts'
import { LoginForm } from '../accounts/login-form.tsx'
import { RegisterForm } from '../accounts/register-form.tsx'
import { PublicPage } from '../pages/public-page.tsx'
import { DealHeader } from '../ui/deal/deal-header.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Outcome } from '../ui/feedback/outcome.tsx'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { Card } from '../ui/frame/card.tsx'
import { BackLink, LinkButton } from '../ui/frame/link.tsx'
import { Side } from '../ui/frame/side.tsx'
import { FactTable } from '../ui/lists/fact-table.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { useAfterLogin, useVisitor } from '../who/session.tsx'
import { isRefusedWith } from '../wire/refusals.ts'
import { useCarLink } from '../wire/search.ts'
import { loanOn } from './car-card.tsx'
import { publicCarQuery } from './queries.ts'

const texts = carTexts.buyThisCar
const fields = carTexts.fields

/** /buy-this-car (query userId, vin): the way from a shared link into an account and on to the purchase. */
export function BuyThisCarScreen() {
  const { userId, vin } = useCarLink()
  return (
    <Side side="buying">
      <PublicPage title={texts.interested} back={<BackLink to="/">{texts.back}</BackLink>}>
        {userId && vin ? <OfLink userId={userId} vin={vin} /> : <InvalidLink />}
      </PublicPage>
    </Side>
  )
}

function OfLink({ userId, vin }: { userId: string; vin: string }) {
  const page = useQuery(publicCarQuery(userId, vin))
  const afterLogin = useAfterLogin()
  const toCar = () => afterLogin((user) => pathToCar(userId, vin, user))
  return (
    <Loaded
      from={page}
      skeleton="form"
      failed={(refusal) =>
        isGone(refusal) ? (
          <InvalidLink />
        ) : (
          <Trouble onRetry={() => void page.refetch()}>{refusal.message}</Trouble>
        )
      }
    >
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

/** For somebody who is signed in already; wholesalers cannot buy (R-accounts-25). */
function Continue({ userId, vin }: { userId: string; vin: string }) {
  const visitor = useVisitor()
  const navigate = useNavigate()
  if (!visitor || visitor.userType === 'WHOLESALER') return null
  return (
    <WorkButton onClick={() => navigate({ href: pathToCar(userId, vin, visitor), replace: true })}>
      {texts.continueAs(fullName(visitor))}
    </WorkButton>
  )
}

function InvalidLink() {
  return (
    <Outcome
      kind="bad"
      title={carTexts.public.invalid}
      action={
        <>
          <LinkButton variant="default" to="/login">
            {carTexts.public.logIn}
          </LinkButton>
          <LinkButton to="/register">{carTexts.public.getStarted}</LinkButton>
        </>
      }
    >
      {carTexts.public.invalidHint}
    </Outcome>
  )
}

/** No such car, or an invalid address: trying again would not help. */
const isGone = (fault: Error) =>
  isRefusedWith(fault, publicCarPage, 'NotFound', 'ValidationError', 'BadRequest')
