// scripts/ad-hosts.ts wrote this file. Source: third-party-web 0.30.0, Copyright (c) 2019 Patrick Hulce, MIT license
// (ad-hosts.license.txt).
const HOSTS = `
200summit.com 2mdn.net 33across.com 3lift.com 4dex.io
7eer.net ad1x.com adform.net adformdsp.net adingo.jp
adlightning.com admatic.com.tr adnami.io adnxs.com adocean.pl
adrdgt.com adriver.ru adroll.com ads-twitter.com ads.linkedin.com
ads.yahoo.com adsafeprotected.com adsco.re adservice.google.be adservice.google.ca
adservice.google.ch adservice.google.co.id adservice.google.co.in adservice.google.co.jp adservice.google.co.kr
adservice.google.co.nz adservice.google.co.uk adservice.google.com adservice.google.com.au adservice.google.com.br
adservice.google.com.sg adservice.google.com.ua adservice.google.de adservice.google.es adservice.google.fr
adservice.google.ie adservice.google.nl adservice.google.se adsrvr.org adswizz.com
adyoulike.com adyoulike.net akstat.io alb.reddit.com amazon-adsystem.com
amplitude.com an.yandex.ru analytics.google.com analytics.tiktok.com analytics.twitter.com
analytics.yahoo.com aniview.com appboycdn.com appcues.com aticdn.net
attentivemobile.com attn.tv b92.yahoo.co.jp basis.net bat.bing.com
baw5tracker.com betweendigital.com bizible.com bizibly.com bluecava.com
boomtrain.com boomtrain.net bownow.jp branch.io brandmetrics.com
browsiprod.com brtstats.com business-path-55.com bux1le001.com callrail.com
casalemedia.com central-core-7.com cetrk.com chango.com chartbeat.com
chartbeat.net clarity.ms clickagy.com clickguardian.app clickguardian.co.uk
cloudflareinsights.com commander1.com company-target.com connatix.com content-square.net
contentsquare.net crazyegg.com creativecdn.com criteo.com criteo.net
crwdcntrl.net ct.pinterest.com ctasnet.com ctnsnet.com customer.io
cxense.com cxpublic.com d10lpsik1i8c69.cloudfront.net d1eoo1tco6rr5e.cloudfront.net d1m6l9dfulcyw7.cloudfront.net
d1z2jf7jlzjs58.cloudfront.net d24n15hnbwhuhn.cloudfront.net d2j3qa5nc37287.cloudfront.net d2r1yp2w7bby2u.cloudfront.net d2zah9y47r7bi2.cloudfront.net
d31j93rd8oukbv.cloudfront.net d32hwlnfiv2gyn.cloudfront.net d3cxv97fi8q177.cloudfront.net de17a.com deliverimp.com
demdex.net direct-azr-78.com dnn506yrbagrg.cloudfront.net dotmetrics.net dotomi.com
doubleclick.net doubleverify.com dt07.net dtmpub.com dtscout.com
dvtps.com dwin1.com ebis.ne.jp emailretargeting.com emediate.dk
emediate.eu emjcd.com ensighten.com erne.co etracker.com
etracker.de everesttech.net evergage.com evgnet.com evyy.net
explore-123.com exponea.com eyeota.net ezoic.net fastclick.net
fimserve.com flashtalking.com forensics1000.com fout.jp fullstory.com
gemius.pl genieessp.jp genieesspv.jp geoedge.be geoedge.com
getclicky.com getdrip.com gldsta-02-or.com go-mpulse.net google-analytics.com
googleadservices.com googlesyndication.com googletagmanager.com googletagservices.com green-bloc9.com
gssprt.jp gumgum.com hbrt.adobe.com heapanalytics.com hm.baidu.com
hmcdn.baidu.com hotjar.com hotjar.io href.asia hybrid.ai
i-mobile.co.jp iasds01.com id5-sync.com im-apps.net impact-ad.jp
impactradius-event.com impactradius-go.com imrworldwide.com indexww.com infolinks.com
inmobi.com inspectlet.com intentiq.com iponweb.net iprom.net
iqfp1.com js-agent.newrelic.com js-cdn.dynatrace.com juicyads.com jump-time.net
justuno.com klaviyo.com ladsp.com lansrv040.com lead-123.com
leadforensics.com liadm.com lightboxcdn.com lijit.com loopme.biz
loopme.com loopme.me luckyorange.com luckyorange.net mailmunch.co
marchex.io marketo.net matomo.cloud mavic852.com mc.yandex.com
mc.yandex.ru media.net mediaplex.com mediavine.com mgid.com
micpn.com microad.jp mixpanel.com mktoresp.com mnet-ad.net
mon-com-net.com mouseflow.com mpstat.us mpulse.net msads.net
mxpnl.com mxptint.net nr-data.net ntv.io ojrq.net
omnitagjs.com openx.net openxadexchange.com openxcdn.net optimonk.com
outbrain.com outbrainimg.com p161.net pagesense.io parsely.com
peak-ip-54.com pendo.io pingdom.net pixel.ad pixel.wp.com
plausible.io privy.com privymktg.com pubmatic.com q.quora.com
quantcount.com quantserve.com quantummetric.com redirectingat.com rfihub.com
rfihub.net rmtag.com ru4.com rubiconproject.com ruxit.com
sail-horizon.com sail-personalize.com sail-track.com sascdn.com sasqos.com
sc-static.net scarabresearch.com scorecardresearch.com seedtag.com segment.com
segment.io semantictec.com servedbyopenx.com simpli.fi sitescout.com
sjv.io skimresources.com skimresources.net smaato.net smartadserver.com
smartlook.com snap.licdn.com snta0034.com socdm.com speedcurve.com
sstats.adobe.com stackadapt.com statcounter.com stats.wp.com svr-prc-01.com
syntace-094.com taboola.com taboolasyndication.com tag.rmp.rakuten.com tagcommander.com
tctm.co teads.tv tealiumiq.com technoratimedia.com tghbn12.com
the-ozone-project.com tiqcdn.com tqlkg.com tr.line.me tr.snapchat.com
trackcmp.net trackdiscovery.net trackedlink.net trackedweb.net trackjs.com
trafficstars.com trail-web.com treasuredata.com trialfire.com trustx.org
tsyndicate.com tvsquared.com tynt.com undertone.com upsellit.com
urchin.com usefathom.com useinsider.com utt.impactcdn.com viglink.com
visualrevenue.com vntsm.com voicestar.com web-01-gbl.com web-cntr-07.com
webcontentassessor.com woopra.com xiti.com yads.c.yimg.jp yieldmanager.com
zemanta.com
`;

/** Common hosts of advertising and tracking. An entry also applies to the host's subdomains. */
export const AD_HOSTS: readonly string[] = HOSTS.trim().split(/\s+/);
