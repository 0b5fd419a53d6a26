import { formatWallTime } from '../shared/dates.ts'

type Dealer = { name: string; phone: string | null; hours: string | null }
/** Values that the sentences of a step depend on. */
type Sale = {
  dealer: Dealer
  sellerState: string | null
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
  askLead: 'None of this begins before both signatures stand.',
  close: 'Close',
  doers: {
    you: 'You',
    KEYTURN: 'Keyturn',
    SELLER: 'The seller',
    BUYER: 'The buyer',
    BOTH: 'Both of you',
    LENDER: 'The lender',
  },
  steps: {
    passOn: {
      when: () => 'Right now',
      what: ({ dealer: { name } }: Sale) => `Passes the signed deal on to ${name}.`,
    },
    stuck: {
      when: () => 'Still to do',
      what: ({ dealer: { name } }: Sale) =>
        `The deal has not reached ${name} yet, and is not sent again by itself. Keyturn’s administrator has to see to it.`,
    },
    document: {
      when: ({ dealer: { name } }: Sale) => `${name} asked for this`,
      what: ({ document = '' }: Sale) =>
        `“${document}” If it has been handed in already, nothing is left to do about it.`,
    },
    call: {
      when: () => 'First',
      what: ({ dealer: { name, phone, hours } }: Sale) =>
        phone === null
          ? `${name} gets in touch with both of you to agree on a day and a place. When is up to ${name}.`
          : `${name} calls both of you to agree on a day and a place. When is up to ${name}. Its number is ${phone}${hours === null ? '' : ` (${hours})`}: call it yourself whenever you want to be sure who is on the line.`,
    },
    arrange: {
      when: () => 'Next',
      what: ({ dealer: { name, phone } }: Sale) =>
        `Agrees on a day and a place with both of you. When is up to ${name}.${phone === null ? '' : ` Its number is ${phone}.`}`,
    },
    appointment: {
      when: ({ time }: Sale) => (time ? formatWallTime(time) : ''),
      what: ({ place = '' }: Sale) => `Come to the appointment: ${place}. The time is by the clock there.`,
    },
    financing: {
      when: () => 'Before the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `The credit application is made with ${name}, which decides about the loan and its rate. Nothing is approved yet.`,
    },
    sellerBrings: {
      when: () => 'Bring to the appointment',
      what: () => 'A photo ID, the title, every key and the registration.',
    },
    sellerWithLoanBrings: {
      when: () => 'Bring to the appointment',
      what: () =>
        'A photo ID, every key, the registration, and the name of the lender with the number of the loan account. The lender usually holds the title until the loan is paid off.',
    },
    buyerBrings: {
      when: () => 'Bring to the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `A photo ID and proof of insurance. How ${name} takes what is left to pay, and which taxes and fees come on top, is best asked beforehand.`,
    },
    tradeBrings: {
      when: () => 'Bring to the appointment',
      what: () =>
        'The trade-in itself, its title, its registration and every key. If money is still owed on it: the name of the lender and the number of the loan account.',
    },
    payoff: {
      when: () => 'Before the title passes',
      what: ({ dealer: { name } }: Sale) =>
        `The seller’s loan is paid off first. How the money reaches the lender is for ${name} to arrange, and how long it takes depends on the lender.`,
    },
    title: {
      when: () => 'At the appointment',
      what: ({ dealer: { name } }: Sale) =>
        `Sign the title over there, and not before. Who files the transfer and registers the car is for ${name} to say.`,
    },
    titleAfterLoan: {
      when: () => 'After the loan is paid off',
      what: ({ dealer: { name } }: Sale) =>
        `Releases the title, which can pass to the buyer then and not before. When that is depends on the lender; who files the transfer is for ${name} to say.`,
    },
    paid: {
      when: ({ dealer: { name } }: Sale) => `When ${name} says`,
      what: ({ dealer: { name } }: Sale) =>
        `Pays the seller. When and how is for ${name} to decide: settle it with ${name} before the car, the keys and the title change hands.`,
    },
    notPaidYet: {
      when: () => 'Still to come',
      what: ({ dealer: { name } }: Sale) =>
        `Has not said yet that it has paid the seller. When and how is for ${name} to say.`,
    },
    release: {
      when: () => 'Once the car is handed over',
      what: ({ sellerState }: Sale) =>
        `The motor vehicle agency of the seller’s state${sellerState === null ? '' : ` (${sellerState})`} has to hear that the car is sold, which many states call a release of liability. It also says what becomes of the plates. Only then should the insurance on the car end.`,
    },
  },
} as const
