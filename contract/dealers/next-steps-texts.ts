import type { Party } from '../accounts/rules.ts'
import { formatWallTime } from '../shared/dates.ts'

type Dealer = { name: string; phone: string | null; hours: string | null }
/** Values that the sentences of a step depend on. */
type Sale = {
  dealer: Dealer
  sellerState: string | null
  /** The reader. */
  side: Party
  document?: string | undefined
  place?: string | undefined
  /** Local time at the appointment's place. */
  time?: string | undefined
}

/**
 * Sentences about what happens after both have signed. Attribute the dealer's decisions to the
 * dealer, and promise nothing that we do not know.
 */
export const nextStepsTexts = {
  title: 'What happens now',
  /** The button and its dialog, before both have signed. */
  ask: 'What happens next?',
  askTitle: 'After both of you have signed',
  askLead: 'None of this starts until both of you have signed.',
  close: 'Close',
  call: (name: string) => `Call ${name}`,
  calendar: 'Add to calendar',
  map: 'Open map',
  localTime: 'The time is local to that place.',
  isDone: 'Done',
  doers: {
    you: 'You',
    KEYTURN: 'Keyturn',
    SELLER: 'The seller',
    BUYER: 'The buyer',
    BOTH: 'Both of you',
    LENDER: 'The seller’s lender',
    yourLender: 'Your lender',
  },
  steps: {
    passOn: {
      title: ({ dealer: { name } }: Sale) => `The deal goes to ${name}`,
      when: () => 'Right now',
      what: ({ dealer: { name } }: Sale) => `Keyturn passes the signed deal on to ${name}.`,
    },
    stuck: {
      title: ({ dealer: { name } }: Sale) => `The deal goes to ${name} again`,
      when: () => 'Still to do',
      what: ({ dealer: { name } }: Sale) =>
        `The deal has not reached ${name} yet and will not be sent again automatically. Keyturn’s administrator has to resend it.`,
    },
    document: {
      title: () => 'A missing document',
      when: ({ dealer: { name } }: Sale) => `${name} asked for this`,
      what: ({ document = '' }: Sale) =>
        `“${document}” If you have already provided it, there is nothing more to do.`,
    },
    call: {
      title: ({ dealer: { name } }: Pick<Sale, 'dealer'>) => `A call from ${name}`,
      when: () => 'First',
      what: ({ dealer: { name, phone, hours } }: Pick<Sale, 'dealer'>) =>
        phone === null
          ? `${name} will contact both of you to set a day and place. The timing is up to ${name}.`
          : `${name} will call both of you to set a day and place. The timing is up to ${name}. Its number is ${phone}${hours === null ? '' : ` (${hours})`}. Call that number yourself to be sure who you are talking to.`,
    },
    arrange: {
      title: () => 'A day and a place',
      when: () => 'Next',
      what: ({ dealer: { name, phone } }: Sale) =>
        `${name} sets a day and place with both of you. The timing is up to ${name}.${phone === null ? '' : ` Its number is ${phone}.`}`,
    },
    appointment: {
      title: () => 'The appointment',
      when: ({ time }: Sale) => (time ? formatWallTime(time) : ''),
      what: ({ place = '' }: Sale) => `Come to the appointment: ${place}. The time is local to that place.`,
    },
    financing: {
      title: () => 'The credit application',
      when: () => 'Before the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `The credit application goes through ${name}, which decides on the loan and its rate. Nothing is approved yet.`,
    },
    sellerBrings: {
      title: () => 'What the seller brings',
      when: () => 'Bring to the appointment',
      what: () => 'A photo ID, the title, every key and the registration.',
    },
    sellerWithLoanBrings: {
      title: () => 'What the seller brings',
      when: () => 'Bring to the appointment',
      what: () =>
        'A photo ID, every key, the registration, and the lender’s name with the loan account number. The lender usually holds the title until the loan is paid off.',
    },
    buyerBrings: {
      title: () => 'What the buyer brings',
      when: () => 'Bring to the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `A photo ID and proof of insurance. Ask ${name} beforehand which forms of payment it accepts and which taxes and fees it adds.`,
    },
    tradeBrings: {
      title: () => 'The trade-in and its papers',
      when: () => 'Bring to the appointment',
      what: () => 'The trade-in itself, its title, its registration and every key.',
    },
    tradeWithLoanBrings: {
      title: () => 'The trade-in and its papers',
      when: () => 'Bring to the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `The trade-in itself, its registration, every key, and the lender’s name with the loan account number. The lender usually holds the title until the loan is paid off. Ask ${name} how that loan is paid off.`,
    },
    payoff: {
      title: () => 'The loan is paid off',
      when: () => 'Before the title passes',
      what: ({ dealer: { name }, side }: Sale) =>
        `${side === 'SELLER' ? 'Your' : 'The seller’s'} loan is paid off first. ${name} arranges the payment to the lender; how long it takes depends on the lender.`,
    },
    title: {
      title: () => 'The title is signed over',
      when: () => 'At the appointment',
      what: ({ dealer: { name }, side }: Sale) =>
        `${side === 'SELLER' ? 'Sign' : 'The seller signs'} over the title at the appointment, not earlier. ${name} will tell you who files the transfer and registers the car.`,
    },
    titleAfterLoan: {
      title: () => 'The title is released',
      when: () => 'After the loan is paid off',
      what: ({ dealer: { name } }: Sale) =>
        `The lender releases the title; only then can it pass to ${name}. The timing depends on the lender. ${name} will tell you who files the transfer.`,
    },
    paid: {
      title: ({ side }: Sale) => `${side === 'SELLER' ? 'You get' : 'The seller gets'} paid`,
      when: ({ dealer: { name } }: Sale) => `When ${name} says`,
      what: ({ dealer: { name }, side }: Sale) =>
        `${name} pays ${side === 'SELLER' ? 'you' : 'the seller'}. ${name} decides when and how. Get a clear answer before the car, the keys and the title change hands.`,
    },
    notPaidYet: {
      title: ({ side }: Sale) => `${side === 'SELLER' ? 'You get' : 'The seller gets'} paid`,
      when: () => 'Still to come',
      what: ({ dealer: { name }, side }: Sale) =>
        `${name} has not yet reported paying ${side === 'SELLER' ? 'you' : 'the seller'}. ${name} decides when and how.`,
    },
    release: {
      title: ({ sellerState }: Sale) => `The sale is reported to ${sellerState ?? 'the state'}`,
      when: () => 'Once the car is handed over',
      what: ({ sellerState, side }: Sale) =>
        `${side === 'SELLER' ? 'Tell' : 'The seller tells'} the motor vehicle agency of ${side === 'SELLER' ? 'your' : 'the seller’s'} state${sellerState === null ? '' : ` (${sellerState})`} that the car has been sold; many states call this a release of liability. ${side === 'SELLER' ? 'The agency will also tell you what to do with the plates. Keep the car insured until you have notified it.' : 'The agency will also say what to do with the plates.'}`,
    },
  },
} as const
