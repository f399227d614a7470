//! Objects come, change and go, and the handler is told of each exactly once.

use std::num::NonZeroUsize;

use sample_client::fake;

use crate::rig::{Rig, my_resource};

#[tokio::test]
async fn my_resources_are_told_once_each_and_in_order() {
    let rig = Rig::my_resources();
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");

    let mut object = my_resources.create(&my_resource("a", "hello")).await.unwrap();
    rig.recorder.wait_for(1).await;
    object.spec.message = "bye".into();
    my_resources.update(&object).await.unwrap();
    rig.recorder.wait_for(2).await;
    my_resources.delete("a").await.unwrap();
    rig.recorder.wait_for(3).await;

    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert_eq!(lines, ["+a:hello", "a:hello>a:bye", "-a:bye"]);
}

#[tokio::test]
async fn what_is_there_at_the_start_is_told_as_created() {
    let fake = fake::Clientset::new([]);
    let my_resources = fake.clientset().trstringer_v1().my_resources("default");
    for name in ["a", "b", "c"] {
        my_resources.create(&my_resource(name, "hello")).await.unwrap();
    }
    let rig = Rig::over(fake, NonZeroUsize::MIN);
    rig.recorder.wait_for(3).await;
    let (_, mut lines) = rig.stop().await;
    lines.sort();
    assert_eq!(lines, ["+a:hello", "+b:hello", "+c:hello"]);
}

/// A write that changes nothing makes no event, and none is told.
#[tokio::test]
async fn an_update_without_a_change_is_not_told() {
    let rig = Rig::my_resources();
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    let object = my_resources.create(&my_resource("a", "hello")).await.unwrap();
    rig.recorder.wait_for(1).await;
    my_resources.update(&object).await.unwrap();
    my_resources.create(&my_resource("b", "last")).await.unwrap();
    rig.recorder.wait_until(|lines| lines.iter().any(|line| line == "+b:last")).await;
    assert_eq!(rig.recorder.lines(), ["+a:hello", "+b:last"]);
    rig.stop().await.0.unwrap();
}

/// A name that is used again is another object.
#[tokio::test]
async fn one_that_is_made_anew_is_told_as_deleted_and_created() {
    let rig = Rig::my_resources();
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    my_resources.create(&my_resource("a", "first")).await.unwrap();
    rig.recorder.wait_for(1).await;
    my_resources.delete("a").await.unwrap();
    my_resources.create(&my_resource("a", "second")).await.unwrap();
    let lines = rig.recorder.wait_for(3).await;
    assert_eq!(lines, ["+a:first", "-a:first", "+a:second"]);
    rig.stop().await.0.unwrap();
}

/// Eight tasks write, four workers handle. However changes fall together, each object's lines make sense: it is
/// created first, each update begins where the last line ended, and the end is how the object is.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn under_load_every_object_s_story_makes_sense() {
    let rig = Rig::over(fake::Clientset::new([]), NonZeroUsize::new(4).unwrap());
    let writers = (0..8).map(|writer| {
        let my_resources = rig.clientset.trstringer_v1().my_resources("default");
        tokio::spawn(async move {
            for index in 0..25 {
                let name = format!("w{writer}-{index}");
                let mut object = my_resources.create(&my_resource(&name, "0")).await.unwrap();
                for change in 1..=index % 4 {
                    object.spec.message = change.to_string();
                    object = my_resources.update(&object).await.unwrap();
                }
                if index % 3 == 0 {
                    my_resources.delete(&name).await.unwrap();
                }
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }

    let settled = |lines: &[String]| {
        (0..8 * 25).all(|number| {
            let (writer, index) = (number / 25, number % 25);
            let name = format!("w{writer}-{index}:");
            let last = lines.iter().rev().find(|line| line.trim_start_matches(['+', '-']).starts_with(&name));
            let end = format!("{name}{}", index % 4);
            match last {
                // It may have gone before a worker saw it.
                None => index % 3 == 0,
                Some(last) if index % 3 == 0 => *last == format!("-{end}"),
                Some(last) => last.ends_with(&end) && !last.starts_with('-'),
            }
        })
    };
    let lines = rig.recorder.wait_until(settled).await;
    for name in (0..8 * 25).map(|number| format!("w{}-{}:", number / 25, number % 25)) {
        assert_story(lines.iter().filter(|line| line.contains(&name)).map(String::as_str));
    }
    rig.stop().await.0.unwrap();
}

/// Each line begins with what the line before ended with.
fn assert_story<'l>(lines: impl Iterator<Item = &'l str>) {
    let mut known: Option<&str> = None;
    for line in lines {
        known = match (line.strip_prefix('+'), line.strip_prefix('-'), line.split_once('>')) {
            (Some(created), ..) => {
                assert_eq!(known, None, "{line}");
                Some(created)
            }
            (_, Some(_), _) => {
                assert!(known.is_some(), "{line}");
                None
            }
            (.., Some((old, new))) => {
                assert_eq!(known, Some(old), "{line}");
                Some(new)
            }
            _ => panic!("{line}"),
        };
    }
}
