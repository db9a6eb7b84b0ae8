import type { AccountView } from "@telex/auth-server/client";
import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { labelled } from "../teleprinter/state/names.ts";
import { useTexts } from "../app/context.ts";
import { devicePath } from "../app/route.ts";
import { Choices } from "../ui/panes/choices.tsx";
import { OwnAccount } from "./own-account.tsx";
import { Section, SectionsPage } from "../ui/panes/sections.tsx";
import { SignOut } from "./sign-out.tsx";
import { Presence } from "../teleprinter/presence.tsx";
import { Tokens } from "./tokens.tsx";
import { useAccountTexts } from "./texts/texts.ts";
import { Usage } from "./usage.tsx";
import { YourData } from "./your-data.tsx";
import "./account.css";

/** The nickname and the picture of the person. The account contains the URL of the picture. */
function Person({ account }: { readonly account: AccountView | null }) {
  const { person } = useAccount();
  const texts = useTexts();
  const { nickname, userId } = person;
  const picture = person.token === null ? account?.avatar : `/api/avatar/get/personal?id=${userId}`;
  return (
    <header>
      <img src={picture && `${picture}&size=128`} alt="" width={64} height={64} />
      <div>
        <h2 dir="auto">{nickname}</h2>
        <p class="quiet">{texts.userNumber(userId)}</p>
      </div>
      <SignOut />
    </header>
  );
}

const OwnDevice = ({ device, label }: { readonly device: DeviceView; readonly label: string }) => (
  <li>
    <a href={devicePath(device.deviceId)} dir="auto">
      {label}
    </a>
    <Presence device={device} />
  </li>
);

/** The devices of the person, each with a link to its paper. */
function Devices() {
  const list = useTeleprinter().devices.list.value;
  const texts = useTexts();
  return (
    <Section title={texts.devices} count={list?.length}>
      {list === null && <p class="quiet">{texts.devicesLoading}</p>}
      {list?.length === 0 && <p class="quiet">{texts.noDevices}</p>}
      <ul class="owned">
        {labelled(list ?? []).map(({ device, label }) => (
          <OwnDevice key={device.deviceId} device={device} label={label} />
        ))}
      </ul>
    </Section>
  );
}

/** The language and the theme, which are stored in this browser. */
function Appearance() {
  const { appearance } = useAccountTexts();
  return (
    <Section title={appearance}>
      <Choices />
    </Section>
  );
}

/** The account page of the person. A token has access to a part of it. */
export function AccountPage() {
  const texts = useTexts();
  const isAccount = useAccount().person.token === null;
  const [account, setAccount] = useState<AccountView | null>(null);
  return (
    <SectionsPage look="account" title={texts.account}>
      <Person account={account} />
      {isAccount && <OwnAccount account={account} onAccount={setAccount} />}
      <Tokens canIssue={isAccount} />
      <Devices />
      <Usage />
      <Appearance />
      {isAccount && <YourData />}
    </SectionsPage>
  );
}
